import { expect, it } from 'vitest'
import { addressOf, boxed, newPassword } from './welcome.ts'

const rows = [
  ['Penstock is ready:', 'http://127.0.0.1:8420'],
  ['First sign-in:', 'admin / secret'],
] as const
const utf8 = { LANG: 'en_US.UTF-8' }

it('a wide terminal shows a frame, in characters that it supports', () => {
  expect(boxed(rows, { isTTY: true, columns: 80 }, utf8)).toBe(
    [
      '',
      '┌──────────────────────────────────────────┐',
      '│ Penstock is ready: http://127.0.0.1:8420 │',
      '│ First sign-in:     admin / secret        │',
      '└──────────────────────────────────────────┘',
      '',
    ].join('\n'),
  )
  expect(boxed(rows, { isTTY: true, columns: 80 }, { LANG: 'C' })).toContain('+------')
})

it('a pipe or narrow terminal shows the same lines without a frame', () => {
  const plain = '\nPenstock is ready: http://127.0.0.1:8420\nFirst sign-in:     admin / secret\n'
  expect(boxed(rows, { isTTY: false }, utf8)).toBe(plain)
  expect(boxed(rows, { isTTY: true, columns: 40 }, utf8)).toBe(plain)
})

it('a new password is printed with the URL and the first steps', () => {
  const given = { account: 'admin', password: 'secret-of-12', address: 'http://127.0.0.1:8420', demo: true }
  const running = newPassword({ ...given, isRunning: true })
  expect(running).toMatch(/Penstock: +http:\/\/127\.0\.0\.1:8420\n[\s\S]*New password of admin: secret-of-12\n[\s\S]*Open first: +Home/)
  expect(newPassword({ ...given, isRunning: false })).toContain('http://127.0.0.1:8420   (after npm start)')
})

it.each([
  [{ host: '0.0.0.0', tlsCert: undefined }, 'http://localhost:8420'],
  [{ host: '127.0.0.1', tlsCert: 'cert.pem' }, 'https://127.0.0.1:8420'],
])('with %j the console is at %s', (settings, address) => expect(addressOf(settings, 8420)).toBe(address))
