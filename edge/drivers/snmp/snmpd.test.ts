// Tests with Net-SNMP's agent, as packaged by Debian.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { channelRow, pointRow } from '../../testing/rows.ts'
import { snmp } from './driver.ts'

const [auth, priv] = ['authentication-password', 'encryption-password']
const hasSnmpd = !spawnSync('snmpd', ['-v']).error
const freePort = async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}
const users = [
  ['md5des', 'MD5', 'DES', 'md5', 'des'],
  ['shaaes', 'SHA', 'AES', 'sha', 'aes'],
  ['sha512aes', 'SHA-512', 'AES', 'sha512', 'aes'],
  ['sha256aes256', 'SHA-256', 'AES-256', 'sha256', 'aes256b'],
] as const

describe.skipIf(!hasSnmpd)(`on Debian's snmpd${hasSnmpd ? '' : ' (skipped without snmpd)'}`, () => {
  let port = 0
  let agent: ChildProcess
  const folder = mkdtempSync(join(tmpdir(), 'snmpd-'))
  beforeAll(async () => {
    port = await freePort()
    const lines = [
      'rocommunity readers 127.0.0.1',
      'rwcommunity writers 127.0.0.1',
      'sysServices 72',
      ...users.map(([name, a, p]) => `createUser ${name} ${a} "${auth}" ${p} "${priv}"\nrwuser ${name} priv`),
      `createUser plain SHA "${auth}"\nrouser plain auth`,
      // A number as text, as scripts return it.
      'extend temperature /bin/echo 21.5',
    ]
    writeFileSync(join(folder, 'snmpd.conf'), lines.join('\n'))
    agent = spawn('snmpd', ['-f', '-Lo', '-C', '-c', join(folder, 'snmpd.conf'), '-I', '-smux', `udp:127.0.0.1:${port}`], {
      env: { ...process.env, SNMP_PERSISTENT_DIR: folder, MIBS: '' },
      stdio: 'ignore',
    })
    await vi.waitFor(() => read({ Version: '2c', Community: 'readers' }, [upTime]))
  })
  afterAll(async () => {
    agent.kill()
    await once(agent, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })

  const upTime = pointRow(1, '1.3.6.1.2.1.1.3.0')
  const [memory, absent] = [pointRow(2, '1.3.6.1.2.1.25.2.2.0'), pointRow(3, '1.3.6.1.2.1.33.1.2.4.0')]
  const temperature = pointRow(4, '1.3.6.1.4.1.8072.1.3.2.3.1.1.11.116.101.109.112.101.114.97.116.117.114.101')
  const load = pointRow(5, '1.3.6.1.4.1.2021.10.1.6.1')
  const all = [upTime, memory, absent, temperature, load]
  const open = async (Settings: Record<string, string>) => {
    const driver = snmp({ channel: channelRow(port, { ProtocolType: 100, Settings }), devices: [], now: Date.now, changed: () => {} })
    await driver.connect()
    return driver
  }
  const read = async (Settings: Record<string, string>, points = all) => {
    const driver = await open(Settings)
    try {
      return await driver.read(driver.plan(points)[0]!)
    } finally {
      driver.close()
    }
  }
  const values = [
    { value: expect.any(Number), quality: 0 },
    { value: expect.any(Number), quality: 0 },
    { value: null, quality: 4 },
    { value: 21.5, quality: 0 },
    { value: expect.any(Number), quality: 0 },
  ]

  test.each(['1', '2c'])('reads with a community by version %s', async (Version) => {
    const readings = await read({ Version, Community: 'readers' })
    expect(readings).toEqual(values)
    expect(readings[1]!.value).toBeGreaterThan(100_000)
  })

  test.each(users)('reads and writes as the user %s, encrypted', async (User, _a, _p, AuthProtocol, PrivProtocol) => {
    const settings = { Version: '3', User, AuthProtocol, AuthPassword: auth, PrivProtocol, PrivPassword: priv }
    expect(await read(settings)).toEqual(values)
    const driver = await open(settings)
    const frames: string[] = []
    driver.trace!(({ bytes, meaning }) => void frames.push(`${meaning} ${bytes.toString('latin1')}`))
    const location = pointRow(1, '1.3.6.1.2.1.1.6.0')
    await driver.write(location, 17)
    expect(await driver.read(driver.plan([location])[0]!)).toEqual([{ value: 17, quality: 0 }])
    driver.close()
    expect(frames.filter((frame) => frame.startsWith('encrypted message')).length).toBeGreaterThan(3)
    for (const frame of frames) expect(frame).not.toMatch(/password/)
  })

  test('reads as a user without encryption, and says what an agent reports of wrong credentials', async () => {
    const plain = { Version: '3', User: 'plain', AuthProtocol: 'sha', AuthPassword: auth }
    expect(await read(plain)).toEqual(values)
    await expect(read({ ...plain, User: 'nobody' })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Unknown User Name'),
    })
    await expect(read({ ...plain, AuthPassword: 'another-password' })).rejects.toMatchObject({
      ...{ kind: 'refused', message: 'the agent reports: Wrong Digest' },
    })
  })

  test('writes with the community for writing alone', async () => {
    const location = pointRow(1, '1.3.6.1.2.1.1.6.0')
    const writer = await open({ Version: '2c', Community: 'readers', WriteCommunity: 'writers' })
    await writer.write(location, 3)
    expect(await writer.read(writer.plan([location])[0]!)).toEqual([{ value: 3, quality: 0 }])
    writer.close()
    const reader = await open({ Version: '2c', Community: 'readers' })
    await expect(reader.write(location, 4)).rejects.toMatchObject({ kind: 'refused' })
    reader.close()
  })

  test('walks the agent', async () => {
    const driver = await open({ Version: '2c', Community: 'readers' })
    const below = async (id?: string) => (await driver.browse!(id)).map(({ name }) => name)
    expect(await below('1.3.6.1.2.1')).toEqual(expect.arrayContaining(['system', 'interfaces', 'host']))
    expect(await below('1.3.6.1.2.1.1')).toContain('3')
    expect(await below('1.3.6.1.2.1.1.3')).toEqual([expect.stringMatching(/^sysUpTime = \d+$/)])
    driver.close()
  })
})
