module gotrace.test/known

go 1.22
