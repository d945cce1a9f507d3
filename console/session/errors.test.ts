import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import english from '../words/words.en.json' with { type: 'json' }
import { errorSeconds, messageSeconds, refusedMs, silentChecks, timeoutMs } from './errors.ts'
import { kept, type Reply, startAnswering } from './harness.ts'
import { Fault, onSessionEnd, request, type SessionEnd } from './request.ts'
import { filled } from './session.ts'

let server: Awaited<ReturnType<typeof startAnswering>>
let answer: Reply = { status: 200, body: {} }
const asked = () => server.asked[0]!
const ends: SessionEnd[] = []
let online = true
beforeAll(async () => {
  server = await startAnswering(
    () => answer,
    () => online,
  )
  onSessionEnd((end) => ends.push(end))
})
afterAll(() => server.close())
beforeEach(() => {
  ends.length = 0
  online = true
  kept.set('Authorization', 'the.token')
})

const body = (StatusCode: number, Errors: unknown = null, Succeeded = false) => ({ Succeeded, StatusCode, Data: { it: 1 }, Errors })
const fault = (status: number, given: unknown, path = '/Any') => {
  answer = { status, body: given }
  return request('GET', path).then(
    () => undefined,
    (error: Fault) => error,
  )
}

describe('an answer', () => {
  it('[wrapper] [http-success] [http-base] [http-json-bearer] succeeds only with both flags, and yields Data', async () => {
    answer = { status: 200, body: body(200, null, true) }
    expect(await request('POST', '/Any/Thing', { a: 1 })).toEqual({ it: 1 })
    expect(asked()).toMatchObject({
      url: '/api/Any/Thing',
      headers: { authorization: 'Bearer the.token', 'content-type': 'application/json' },
    })
    kept.delete('Authorization')
    await request('GET', '/Any')
    expect(asked().headers.authorization).toBeUndefined()
    expect(await fault(200, body(200, 'mixed', false))).toBeInstanceOf(Fault)
    expect(await fault(200, body(201, 'mixed', true))).toBeInstanceOf(Fault)
  })

  it('[err-promise] [err-yields-nothing] [err-body-403-400] [err-body-other] rejects with what the catalogue says', async () => {
    for (const code of [400, 403]) {
      expect((await fault(200, body(code, 'Said by the server')))?.message).toBe('Said by the server')
      expect((await fault(200, body(code)))?.message).toBe(english['error.forbidden'])
    }
    expect((await fault(200, body(409, 'Taken')))?.message).toBe('Taken')
    expect((await fault(200, body(418, { not: 'text' })))?.message).toContain('(418)')
  })

  it('[err-body-401] [err-transport-401] [err-205] [err-transport-other] ends the session in the way it was ended', async () => {
    await fault(200, body(401, 'Over'))
    await fault(401, body(401, 'Forged'))
    await fault(205, null)
    expect(ends).toEqual([
      { kind: 'over', message: 'Over' },
      { kind: 'refused', message: 'Forged' },
      { kind: 'displaced', message: 'Signed in elsewhere' },
    ])
    expect((await fault(500, body(500, 'Broken: 17')))?.message).toBe('Broken: 17')
    expect(ends).toHaveLength(3)
  })
})

describe('no answer', () => {
  it('[err-timeout] [http-timeout] after 55 s says so', async () => {
    const given = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const stop = new AbortController()
      setTimeout(() => stop.abort(new DOMException('over', 'TimeoutError')), 20)
      return stop.signal
    })
    expect((await fault(0, null))?.message).toBe(english['error.timeout'])
    expect(given).toHaveBeenCalledWith(55_000)
    expect(timeoutMs).toBe(55_000)
    given.mockRestore()
  })

  it('[err-network-online] [err-network-offline] blames the server while online, else the network', async () => {
    await server.cut(async () => {
      expect((await fault(200, null))?.message).toBe(english['error.remote'])
      online = false
      expect((await fault(200, null))?.message).toBe(english['error.network'])
    })
  })
})

describe('checks whose screen shows the result itself', () => {
  const checks = [
    ['suppress-project-name', '/Project/Project/CheckProjectName'],
    ['suppress-device-parameter', '/Project/DevPara/CheckDevPara'],
    ['suppress-energy-code', '/Energy/Info/CheckCode'],
    ['suppress-energy-formula', '/Energy/Info/CheckFormula'],
    ['suppress-energy-data', '/Energy/InfoData/CheckData'],
    ['suppress-drug-data', '/Drug/InfoData/CheckData'],
    ['suppress-alarm-condition', '/Alarm/AlarmRule/ConditionValidation'],
  ] as const

  // The ids: [suppress-project-name] [suppress-device-parameter] [suppress-energy-code] [suppress-energy-formula]
  // [suppress-energy-data] [suppress-drug-data] [suppress-alarm-condition]
  it.each(checks)('[%s] [suppress-header] [suppressed-no-toast] %s is sent with X-Silent, and its fault is marked', async (_, path) => {
    for (const each of [path, `${path}?Id=1`]) {
      expect((await fault(200, body(400, 'Not good'), each))?.silent).toBe(true)
      expect(asked().headers['x-silent']).toBe('1')
    }
  })

  it('[suppress-header] are seven, and no other call is sent so', async () => {
    expect([...silentChecks].sort()).toEqual(checks.map(([, path]) => path).sort())
    expect((await fault(200, body(400, 'Not good'), '/Project/Project'))?.silent).toBe(false)
    expect(asked().headers['x-silent']).toBeUndefined()
  })
})

it('[err-toast] [global-message] [err-transport-401] errors show for 4,000 ms, other messages for 3,500 ms, and a refused token signs out after 1,000 ms', () => {
  expect([errorSeconds * 1000, messageSeconds * 1000, refusedMs]).toEqual([4000, 3500, 1000])
})

it('[login-payload] [login-trim] [login-missing-1] a sign-in is trimmed, and what is missing is sent as 1', () => {
  expect(filled({ UserNO: ' ad min\t', Pwd: ' kept ' })).toEqual({ UserNO: 'admin', Pwd: ' kept ' })
  expect(filled({ UserNO: '  ' })).toEqual({ UserNO: '1', Pwd: '1' })
  expect(filled({ Code: 'c', UnionId: 'u' })).toEqual({ UserNO: '1', Pwd: '1', Code: 'c', UnionId: 'u' })
})
