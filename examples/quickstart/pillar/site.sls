site:
  title: Hello from pinch
  ports:
    http: 8080
    admin: 8081
