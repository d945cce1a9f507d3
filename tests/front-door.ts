// Penstock as programs outside see it: the public API at an address, whichever process answers there.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Wrapper } from '../contract/call.ts'

/** A new, empty folder. */
export const temporary = () => mkdtempSync(join(tmpdir(), 'penstock-house-'))

export const password = 'a password of tests'

/** Timeout in ms for conditions that will become true: a busy machine is slow, and only a condition that never comes is an error. */
export const patience = 240_000

/** Waits for a condition and returns its result. A check may cost milliseconds of CPU time, so the interval grows. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = patience,
): Promise<T> => {
  const start = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    const waited = performance.now() - start
    if (waited > withinMs) throw new Error(`Waited in vain for: ${what}`)
    await new Promise((r) => setTimeout(r, Math.min(20 + waited / 20, 100)))
  }
}

export type FrontDoor = Awaited<ReturnType<typeof openFrontDoor>>

/** Signed in as the first administrator. */
export const openFrontDoor = async (origin: string, ownPassword = password) => {
  const call = async <T>(token: string | undefined, method: string, path: string, body?: unknown): Promise<Wrapper<T>> => {
    const ask = () =>
      fetch(`${origin}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'accept-language': 'en',
          'x-time-zone': 'UTC',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    // As browsers do: a kept connection may have been closed just as it was used again (RFC 9110, 9.2.2).
    const answer = await ask().catch((error: { cause?: { code?: string } }) => {
      if (method === 'GET' && error.cause?.code === 'UND_ERR_SOCKET') return ask()
      throw error
    })
    return (await answer.json()) as Wrapper<T>
  }
  const login = async (UserNO = 'admin', Pwd = password) => {
    const answer = await call<{ Token: string } | null>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd })
    if (!answer.Data) throw new Error(`${UserNO} may not sign in: ${JSON.stringify(answer)}`)
    return answer.Data.Token
  }
  const admin = await login('admin', ownPassword)
  const data = async <T = { Id: number }>(method: string, path: string, body?: unknown, token = admin): Promise<T> => {
    const answer = await call<T>(token, method, path, body)
    if (!answer.Succeeded) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.Data
  }

  /** Creates the first company if there is none. Projects must belong to one. */
  const ensureCompany = async (): Promise<number> => {
    const { Items } = await data<{ Items: { Id: number }[] }>('GET', '/System/Enterprise/List')
    const [company] = Items.filter(({ Id }) => Id !== 1)
    const first = { Name: 'First company', ManagerNO: 'first_manager', ManagerName: 'Manager' }
    return company?.Id ?? (await data('POST', '/System/Enterprise', first)).Id
  }

  /** A project with a gateway, its key, a channel to a Modbus port and one device on it. */
  const newGateway = async (SN: string, modbusPort: number, more: object = {}) => {
    await ensureCompany()
    const project = await data('POST', '/Project/Project', { ProjectName: `Project of ${SN}` })
    const gateway = await data('POST', '/Project/Gateway', { GatewayName: SN, SN, ProjectId: project.Id })
    const channel = await data('POST', '/Project/Protocol/NetProtocol', {
      ProtocolName: 'Network',
      GatewayId: gateway.Id,
      Ip: '127.0.0.1',
      Port: modbusPort,
      ...more,
    })
    const device = await data('POST', '/Project/Device', { DeviceName: 'Device', GatewayId: gateway.Id, NetProtocolId: channel.Id })
    const { Key } = await data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id })
    return { SN, Key, project: project.Id, gateway: gateway.Id, device: device.Id }
  }
  const online = (gateway: number) =>
    until(
      'the gateway to be online',
      async () => (await data<{ OnlineStatus: number }>('GET', `/Project/Gateway?Id=${gateway}`)).OnlineStatus === 1,
    )
  const push = (GatewayId: number) =>
    data<{ Code: number; Msg: string; Detail?: unknown[] }>('POST', '/Project/Protocol/OptionPush', { GatewayId })

  return { origin, call, login, admin, data, ensureCompany, newGateway, online, push }
}
