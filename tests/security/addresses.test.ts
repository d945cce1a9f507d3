// Callers named in X-Forwarded-For: ports, brackets and other spellings of an address do not make another caller.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse } from '../house.ts'

let house: House
beforeAll(async () => {
  house = await startHouse({ PENSTOCK_TRUST_PROXY: 'on' })
})
afterAll(() => house?.close())

const faultOf = async (from: string, token: string, method: string, path: string, body?: object) => {
  const answer = await fetch(`${house.origin}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-forwarded-for': from },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { Succeeded, Details } = (await answer.json()) as { Succeeded: boolean; Details?: { Fault: string } }
  return Succeeded ? 'none' : Details?.Fault
}
const signIn = (UserNO: string, from: string) => faultOf(from, '', 'POST', '/Auth/Login', { UserNO, Pwd: 'not the password' })

it.each<[what: string, form: (i: number) => string]>([
  ['with another port each time', (i) => `203.0.113.61:${40_000 + i}`],
  ['in brackets, with a port, in one /64', (i) => `[2001:db8:61::${i + 1}]:${40_000 + i}`],
  ['mapped into IPv6', (i) => ['::ffff:cb00:713e', '203.0.113.62', '0:0:0:0:0:ffff:cb00:713e', '[::ffff:203.0.113.62]:80'][i % 4]!],
  ['that the proxy does not know', (i) => `garbage${i}`],
])('of twelve wrong passwords from an address %s five are judged', async (what, form) => {
  const name = `nobody ${what}`
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => signIn(name, form(i))))
  expect([answers.filter((a) => a === 'wrongCredentials').length, answers.filter((a) => a === 'tooManyTries').length]).toEqual([5, 7])
})

it('IPv4 mapped in hexadecimal is a caller for each address, not one for all', async () => {
  for (let i = 0; i < 5; i++) expect(await signIn('mapped', '::ffff:cb00:713f')).toBe('wrongCredentials')
  expect(await signIn('mapped', '::ffff:cb00:713f')).toBe('tooManyTries')
  expect(await signIn('mapped', '::ffff:cb00:7140')).toBe('wrongCredentials')
})

it('a key that is bound to addresses knows them with a port, and no others', async () => {
  const { Id: UserId } = await house.data('GET', '/System/User/UserInfo')
  const draft = { ApiName: 'Bound', UserId, IpAllow: '203.0.113.70, 2001:db8:70::/48' }
  const key = (await house.data('POST', '/System/Api', draft)) as { Id: number; AccessKey: string; Secret: string }
  const list = (from: string) => faultOf(from, `${key.AccessKey}.${key.Secret}`, 'GET', '/Project/Project/List')
  for (const from of ['203.0.113.70', '203.0.113.70:4711', '::ffff:cb00:7146', '[2001:db8:70::1]:4711'])
    expect(await list(from), from).toBe('forbidden')
  for (const from of ['203.0.113.71', '203.0.113.71:70', '::ffff:cb00:7147', '[2001:db8:71::1]:4711', 'garbage'])
    expect(await list(from), from).toBe('addressNotAllowed')
})

it('requests for trial accounts count all of a /64', async () => {
  await house.data('PUT', '/System/Enterprise', { Id: 1, TrialUsers: 1 })
  const visit = (i: number, from: string) =>
    faultOf(from, '', 'POST', '/System/TrialUser', { TrialName: 'Vera', Phone: `+34 600 000 ${100 + i}`, Pwd: 'seven calm herons' })
  const faults: unknown[] = []
  for (let i = 0; i < 7; i++) faults.push(await visit(i, `2001:db8:0:7:${i}::9`))
  expect(faults).toEqual([...Array(5).fill('none'), 'tooMany', 'tooMany'])
  expect(await visit(8, '2001:db8:0:8::9')).toBe('none')
})
