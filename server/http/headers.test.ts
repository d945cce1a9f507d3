import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, startKit } from '../../main/testing/kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

test('every answer, a refusal too, says what the browser must keep to and which call it was', async () => {
  const paths = ['/api/openapi.json', '/api/System/User/List', '/api/nothing-of-ours', '/%00']
  const ids = new Set<string>()
  for (const url of paths) {
    const { headers } = await kit.app.inject({ url })
    const policy = String(headers['content-security-policy']).split(';')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'self'", "script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    ids.add(String(headers['x-request-id']))
  }
  expect(ids.size).toBe(paths.length)
})
