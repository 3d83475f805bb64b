print(open("network.svg").read())
