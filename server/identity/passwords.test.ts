import { expect, test } from 'vitest'
import { hashCode, hashPassword, verifyCode, verifyPassword } from './passwords.ts'

test('a sign-in waits for one code at most while hundreds of codes are made, and companies take turns', async () => {
  const stored = await hashPassword('seven calm herons')
  const made = [0, 0, 0]
  const make = async (tenant: number, count: number) => {
    for (let i = 0; i < count; i++) {
      await hashCode('ABCDEFGH', tenant)
      made[tenant]!++
    }
  }
  const flood = Promise.all([...Array.from({ length: 30 }, () => make(1, 10)), make(2, 10)])
  expect(await verifyPassword(stored, 'seven calm herons')).toBe(true)
  expect(made[1]).toBeLessThan(30)
  while (made[2]! < 10) await new Promise(setImmediate)
  expect(made[1]).toBeLessThan(60)
  await flood
  expect(await verifyCode(await hashCode('ABCDEFGH'), 'ABCDEFGH')).toBe(true)
})
