import { InMemoryCertificateKeyPairProvider } from 'node-opcua-common'

/** A certificate of localhost that signs itself, and its key, as PEM. */
export const certificate = async () => {
  const provider = new InMemoryCertificateKeyPairProvider()
  const named = { applicationUri: 'urn:test', subject: '/CN=localhost', dns: ['localhost'], ip: ['127.0.0.1'], validity: 2 }
  await provider.ensureCertificateExists(named)
  const { hidden } = provider.getPrivateKey()
  const base64 = provider
    .getCertificate()
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
  return { cert, key: typeof hidden === 'string' ? hidden : hidden.export({ type: 'pkcs8', format: 'pem' }).toString() }
}
