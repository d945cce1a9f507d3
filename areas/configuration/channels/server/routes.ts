import type { FastifyInstance } from 'fastify'
import type { Language } from '../../../../contract/languages.ts'
import { dialled, dials, protocols } from '../../../../contract/protocols/index.ts'
import type { Protocol, Target } from '../../../../contract/protocols/protocol.ts'
import type { Database } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { gateway } from '../../gateways/contract.ts'
import { netProtocol, protocolCalls, serialProtocol } from '../contract.ts'
import { channelCheck } from './secrets.ts'
import { switchedOff } from './switched.ts'

const targets: readonly Target[] = ['dials', 'dialled', 'serial']
const choiceOf = (p: Protocol, target: Target, language: Language) => ({
  ...{ ProtocolType: p.number, Name: word(language, `protocol.${p.name}`), Example: p.example },
  ...{ CommType: target === 'serial' ? 1 : 0, Mode: target === 'dialled' ? dialled : dials },
  ...{ Port: p.port ?? null, Polls: p.polls ? 1 : 0, Listens: p.listens ? 1 : 0 },
  ...{ Settings: Object.keys(p.channel), DeviceSettings: Object.keys(p.device), Unused: [...p.unused] },
})
const all = protocols.flatMap((p) => targets.flatMap((target) => (p.targets[target] ? [{ p, target }] : [])))

/** Whether a gateway supports it: according to its birth, or before the first birth, the base capabilities. */
const isOffered = ({ p, target }: (typeof all)[number], capabilities: readonly string[] | null) =>
  capabilities?.some((word) => isDriver(word)) ? capabilities.includes(p.targets[target]!) : p.isBase === true && target !== 'dialled'
const words = new Set(all.map(({ p, target }) => p.targets[target]!))
const isDriver = (word: string) => words.has(word)

export const channelRoutes = (app: FastifyInstance, needs: { database: Database; vault: Vault }) => {
  for (const r of [netProtocol, serialProtocol]) crud(app, r, { check: channelCheck(r, needs) })
  serve(app, protocolCalls.types, async ({ db, actor, request }) => {
    const off = await switchedOff(db, actor.EnterpriseId, 1)
    return all.filter(({ p }) => !off.has(p.number)).map(({ p, target }) => choiceOf(p, target, languageOf(request)))
  })
  serve(app, protocolCalls.select, async ({ db, actor, query, request }) => {
    const { Capabilities, EnterpriseId } = await store(gateway).find(db, actor, query.GatewayId)
    const off = await switchedOff(db, EnterpriseId, 1)
    return all
      .filter((choice) => isOffered(choice, Capabilities as readonly string[] | null) && !off.has(choice.p.number))
      .map(({ p, target }) => choiceOf(p, target, languageOf(request)))
  })
}
