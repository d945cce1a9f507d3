import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { allowedBy, judged, post, Refused } from './outbound.ts'
import { ofError } from './outcome.ts'

const strict = allowedBy([])

it.each([
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
  ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'fc00::1', 'fd12::1'],
  ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'ff02::1'],
])('%s is not of the public internet', (address) => {
  expect(strict(address, 443)).toBe(false)
})

it.each(['1.1.1.1', '172.32.0.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is', (address) => {
  expect(strict(address, 443)).toBe(true)
})

it.each([
  'http://127.0.0.1',
  'http://0x7f.1',
  'http://0177.0.0.1',
  'http://2130706433',
  'http://[::1]',
  'http://localhost',
  'http://[::ffff:7f00:1]',
])('%s is refused after the name has been turned into an address', async (url) => {
  await expect(judged(new URL(url).hostname, 80, { allowed: strict, tenant: 1 })).rejects.toThrow('not allowed')
})

it('a name that does not exist is refused in the same words as an inner one', async () => {
  const errorFor = async (host: string) => (await judged(host, 80, { allowed: strict, tenant: 1 }).catch((error: Error) => error)) as Error
  const [inner, missing] = [await errorFor('localhost'), await errorFor('nobody-has-this.invalid')]
  expect(missing).toBeInstanceOf(Refused)
  expect(missing.message).toBe(inner.message)
  expect(ofError(missing)).toMatchObject({ error: inner.message })
})

it('an operator allows a network, or one port of it', () => {
  const allowed = allowedBy(['10.1.0.0/16', '127.0.0.1/32:8025', 'fd00::/8'])
  expect([
    allowed('10.1.9.9', 1),
    allowed('10.2.0.1', 1),
    allowed('127.0.0.1', 8025),
    allowed('127.0.0.1', 8026),
    allowed('fd00::1', 5),
  ]).toEqual([true, false, true, false, true])
  for (const bad of ['10.1.0.0', 'localhost/8', '10.0.0.0/33', 'x']) expect(() => allowedBy([bad]), bad).toThrow()
})

it('a redirect is not followed, and an endless answer is cut', async () => {
  let visited = 0
  const server = createServer((request, response) => {
    visited++
    if (request.url === '/away') return response.writeHead(302, { location: '/there' }).end()
    const more = () => response.write('x'.repeat(65_536)) && setImmediate(more)
    response.on('drain', more)
    more()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  const allowed = allowedBy([`127.0.0.1/32:${port}`])
  expect(await post(`http://127.0.0.1:${port}/away`, { within: { allowed, tenant: 1 } })).toMatchObject({ status: 302 })
  expect(visited).toBe(1)
  expect((await post(`http://127.0.0.1:${port}/long`, { within: { allowed, tenant: 1 } })).text.length).toBeLessThanOrEqual(65_536)
  for (const url of ['file:///etc/passwd', 'gopher://127.0.0.1/', `http://user:word@127.0.0.1:${port}/`])
    await expect(post(url, { within: { allowed, tenant: 1 } }), url).rejects.toThrow()
  server.closeAllConnections()
  server.close()
})

/** A name server that never answers, in a process without another one; only root can set that up. */
const inSilence = async (): Promise<number> => {
  const child = join(import.meta.dirname, 'silentNames.child.ts')
  const script = `printf 'nameserver 127.0.0.77\\n' > "$1" && mount --bind "$1" /etc/resolv.conf && exec "$2" "$3"`
  const folder = await mkdtemp(join(tmpdir(), 'penstock-names-'))
  try {
    const given = ['-m', 'sh', '-c', script, 'sh', join(folder, 'resolv.conf'), process.execPath, child]
    const { stdout } = await promisify(execFile)('unshare', given, { env: { ...process.env, RES_OPTIONS: 'timeout:1 attempts:1' } })
    return Number(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}
it.skipIf(process.getuid?.() !== 0)('names that no name server answers for hold up no other tenant', async () => {
  // 4 s before: the names of the first tenant came one after the other.
  expect(await inSilence()).toBeLessThan(900)
})
