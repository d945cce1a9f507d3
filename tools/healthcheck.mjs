// Asks /healthz of the server in the same container: exit 0 when it lives.
import { request as http } from 'node:http'
import { request as https } from 'node:https'

const { PENSTOCK_PORT = '8420', PENSTOCK_TLS_CERT } = process.env
const request = PENSTOCK_TLS_CERT ? https : http
// On loopback the certificate's name never matches.
request({ host: '127.0.0.1', port: Number(PENSTOCK_PORT), path: '/healthz', rejectUnauthorized: false, timeout: 4000 }, (answer) =>
  process.exit(answer.statusCode === 200 ? 0 : 1),
)
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end()
