import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts, freePort } from './freePort.ts'

const find = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/sbin'].map((d) => join(d, name)).find(existsSync)
const binary = find('mosquitto')
const passwd = find('mosquitto_passwd')

/** False where Debian's package `mosquitto` is not installed; tests that need it are skipped then. */
export const hasMosquitto = Boolean(binary && passwd)

/** A real broker on a free port of loopback, set up as docs/gateway-protocol.md describes: keys, and an ACL by user name. */
export const startMosquitto = async (users: Record<string, string>, server: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-mosquitto-'))
  const port = await freePort()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const keys = file(
    'passwords',
    Object.entries(users)
      .map(([user, key]) => `${user}:${key}\n`)
      .join(''),
  )
  execFileSync(passwd!, ['-U', keys])
  const acl = file('acl', `user ${server}\ntopic readwrite iot/v1/#\npattern write iot/v1/%u/up/+\npattern read iot/v1/%u/down/+\n`)
  const conf = file(
    'mosquitto.conf',
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${keys}`,
      `acl_file ${acl}`,
      'message_size_limit 262144',
      'use_username_as_clientid true',
      'user root',
      '',
    ].join('\n'),
  )
  const start = async () => {
    const child = spawn(binary!, ['-c', conf], { stdio: 'ignore' })
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}.`)
      await pause(20)
    }
    return async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
      child.kill(signal)
      await gone
    }
  }
  let stop = await start()
  return {
    port,
    /** Ends the broker, and starts it again without its sessions. */
    stop: (signal?: 'SIGTERM' | 'SIGKILL') => stop(signal),
    restart: async () => {
      stop = await start()
    },
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
