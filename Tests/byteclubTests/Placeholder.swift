// byteclub
