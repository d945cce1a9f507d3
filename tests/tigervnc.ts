// Debian's TigerVNC: an X server with a VNC port, and a client that notes the keys it receives.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { des } from '../areas/configuration/device-vnc/server/panelSide.ts'
import { freePort } from '../main/testing/freePort.ts'
import { until } from './front-door.ts'

const has = (command: string) => spawnSync('which', [command]).status === 0
export const hasTigerVnc = has('Xtigervnc') && has('xev')

/** The fixed key with which VNC servers obfuscate passwords in files, each byte mirrored. */
const fileKey = Buffer.from([0xe8, 0x4a, 0xd6, 0x60, 0xc4, 0x72, 0x1a, 0xe0])

/** A white screen of 320 x 200 pixels behind a password of at most eight bytes. */
export const startTigerVnc = async (password: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tigervnc-'))
  const passwordFile = join(folder, 'passwd')
  const padded = Buffer.alloc(8)
  padded.write(password, 'latin1')
  writeFileSync(passwordFile, des(fileKey, padded), { mode: 0o600 })
  const port = await freePort()
  const children: ChildProcess[] = []
  const run = (command: string, args: string[], env = {}) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    return () => output
  }
  const display = `:${port}`
  const screen = ['-geometry', '320x200', '-depth', '24', '-wr', '-localhost', '-rfbport', String(port)]
  const server = run('Xtigervnc', [display, ...screen, '-SecurityTypes', 'VncAuth', '-PasswordFile', passwordFile, '-nolisten', 'tcp'])
  await until('TigerVNC', () => server().includes('Listening'))
  const events = run('xev', ['-event', 'keyboard', '-geometry', '320x200+0+0', '-bw', '0'], { DISPLAY: display })
  await until('its client', () => events().includes('Outer window') || events().includes('window'))
  return {
    port,
    /** The keys that were pressed. */
    keys: () => [...events().matchAll(/KeyPress event[\s\S]*?keysym 0x[0-9a-f]+, (\w+)\)/g)].map((match) => match[1]),
    stop: async () => {
      for (const child of children.reverse()) child.kill()
      await until('TigerVNC to end', () => children.every((child) => child.exitCode !== null || child.signalCode !== null))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
