module gotrace.test/record

go 1.19
