module gotrace.test/compare

go 1.27
