@main
struct Byteclub { static func main() {} }
