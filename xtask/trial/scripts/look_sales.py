print(open("sales.svg").read())
