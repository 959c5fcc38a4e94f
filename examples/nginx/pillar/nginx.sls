nginx:
  server:
    worker_connections: 512
  sites:
    default:
      listen: unix:/run/nginx-example.sock
      root: /var/www/html
