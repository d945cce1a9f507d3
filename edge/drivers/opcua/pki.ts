// OPC UA certificates: our own, and the trusted ones of servers. They are stored in the gateway's data folder.
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { InMemoryCertificateKeyPairProvider } from 'node-opcua-common'
import { DriverFault } from '../driver.ts'

export type Own = { provider: InMemoryCertificateKeyPairProvider; applicationUri: string }

/** Most untrusted server certificates kept. */
const mostSeen = 50
const privately = { mode: 0o600 }
/** In the format of OPC UA tools: SHA-1, in pairs of digits. */
const thumbprintOf = (certificate: X509Certificate) => certificate.fingerprint.replaceAll(':', '')

const read = (path: string) => readFile(path).catch(() => undefined)

/** The application's name in a certificate (Part 6, 6.2.2). */
const uriIn = (certificate: X509Certificate) => /URI:(\S+?)(?:,|$)/.exec(certificate.subjectAltName ?? '')?.[1]

export class Pki {
  readonly #folder: string
  #own: Promise<Own> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Our certificate, created on first use without an external program. Valid for 20 years. */
  own(): Promise<Own> {
    this.#own ??= this.#load().catch((error: unknown) => {
      this.#own = undefined
      throw error
    })
    return this.#own
  }

  /** @throws DriverFault if a certificate is not trusted or not valid today */
  async check(der: Buffer, server: string) {
    const certificate = this.#parsed(der, server)
    const thumbprint = thumbprintOf(certificate)
    const trusted = await read(join(this.#folder, 'trusted', `${thumbprint}.der`))
    if (!trusted?.equals(certificate.raw)) {
      await this.#remember(thumbprint, certificate.raw)
      const fault = new DriverFault('down', `${server}: nobody has trusted the certificate ${thumbprint} of this server yet`)
      throw Object.assign(fault, { thumbprint })
    }
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    if (Date.now() > to) throw new DriverFault('down', `${server}: its certificate ${thumbprint} ran out on ${certificate.validTo}`)
    if (Date.now() < from)
      throw new DriverFault('down', `${server}: its certificate ${thumbprint} is valid from ${certificate.validFrom} on`)
  }

  /** Trusts a certificate that a server has presented. False if none has. */
  async trust(thumbprint: string): Promise<boolean> {
    const name = `${thumbprint.replaceAll(':', '').toUpperCase()}.der`
    if (!/^[0-9A-F]{40}\.der$/.test(name)) return false
    const seen = await read(join(this.#folder, 'seen', name))
    if (!seen) return false
    await this.#save('trusted', name, seen)
    return true
  }

  #parsed(der: Buffer, server: string): X509Certificate {
    try {
      return new X509Certificate(der)
    } catch {
      throw new DriverFault('down', `${server}: its certificate is none`)
    }
  }

  /** Evicts the oldest: a server that presents a new certificate each time must not displace all others. */
  async #remember(thumbprint: string, der: Buffer) {
    const folder = join(this.#folder, 'seen')
    const name = `${thumbprint}.der`
    const others = (await readdir(folder).catch((): string[] => [])).filter((one) => one !== name)
    if (others.length >= mostSeen) {
      const times = await Promise.all(others.map(async (one) => ({ one, shown: (await stat(join(folder, one))).mtimeMs })))
      const old = times.sort((a, b) => a.shown - b.shown).slice(0, times.length - mostSeen + 1)
      for (const { one } of old) await rm(join(folder, one), { force: true })
    }
    await this.#save('seen', name, der)
  }

  async #save(place: string, name: string, bytes: Buffer | string) {
    const folder = join(this.#folder, place)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, `${name}.new`), bytes, privately)
    await rename(join(folder, `${name}.new`), join(folder, name))
  }

  async #load(): Promise<Own> {
    const [pem, key] = await Promise.all(['certificate.pem', 'key.pem'].map((name) => read(join(this.#folder, 'own', name))))
    if (pem && key) {
      const certificate = new X509Certificate(pem)
      const applicationUri = uriIn(certificate)
      const fits = applicationUri && Date.parse(certificate.validTo) > Date.now() && certificate.checkPrivateKey(createPrivateKey(key))
      if (fits) return { provider: new InMemoryCertificateKeyPairProvider([certificate.raw], { hidden: key.toString() }), applicationUri }
    }
    return this.#make()
  }

  async #make(): Promise<Own> {
    const applicationUri = `urn:penstock:gateway:${randomUUID()}`
    const provider = new InMemoryCertificateKeyPairProvider()
    const dns = [hostname()]
    await provider.ensureCertificateExists({ applicationUri, subject: '/CN=Penstock gateway/O=Penstock', dns, validity: 365 * 20 })
    const { hidden } = provider.getPrivateKey()
    const key = typeof hidden === 'string' ? hidden : hidden.export({ type: 'pkcs8', format: 'pem' })
    await this.#save('own', 'key.pem', key)
    await this.#save('own', 'certificate.pem', new X509Certificate(provider.getCertificate()).toString())
    return { provider, applicationUri }
  }
}

const known = new Map<string, Pki>()
/** Channels of one gateway share its certificates. */
export const pkiOf = (folder: string): Pki => {
  const pki = known.get(folder) ?? new Pki(join(folder, 'opcua'))
  known.set(folder, pki)
  return pki
}
