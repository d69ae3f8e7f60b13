module gotrace.test/server

go 1.21
