print("podcli")
