module gotrace.test/report

go 1.27
