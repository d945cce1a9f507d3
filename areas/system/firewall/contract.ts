import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'

const Port = Type.Integer({ minimum: 1, maximum: 65535 })
export const OpenedPort = Type.Object({
  Port: Type.Integer(),
  /** 1 open, 0 closed. */
  Status: Type.Integer(),
  OpenTime: Type.Union([Type.String(), Type.Null()]),
  CloseTime: Type.Union([Type.String(), Type.Null()]),
  UserName: Type.Union([Type.String(), Type.Null()]),
})

/** The specification's two GET calls change state, so they have separate buttons and are logged (ruling 36). */
export const firewallCalls = {
  open: call({
    method: 'GET',
    path: '/Firewall/OpenPort',
    permission: 'm10435.open',
    query: Type.Object({ Port, Minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })) }),
    answer: OpenedPort,
  }),
  close: call({ method: 'GET', path: '/Firewall/ClosePort', permission: 'm10435.close', query: Type.Object({ Port }), answer: OpenedPort }),
  /** Opened ports, newest first, and the allowed range. */
  state: call({
    method: 'GET',
    path: '/Firewall/State',
    permission: 'm10435',
    answer: Type.Object({ Driver: Type.String(), From: Type.Integer(), To: Type.Integer(), Items: Type.Array(OpenedPort) }),
  }),
}
