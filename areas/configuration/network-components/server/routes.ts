import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud, removes } from '../../../../server/resource/crud.ts'
import { paged, readListing } from '../../../../server/resource/list.ts'
import { componentCalls, mostSeen, networkComponent } from '../contract.ts'
import type { Doors } from './doors.ts'
import type { Intake } from './intake.ts'
import { placeCheck } from './places.ts'
import type { Ports } from './ports.ts'
import type { Replay } from './replay.ts'
import { adopt, components, createDoor, newSecret, resetToken } from './service.ts'
import type { Place, Stations } from './stations.ts'

type Needs = {
  database: Database
  vault: Vault
  doors: Doors
  intake: Intake
  replay: Replay
  connections(sn: string): number
  ports: Ports
  stations: Stations
  allowed: readonly Place[]
  /** The address that senders connect to, as seen by the caller. */
  address(request: FastifyRequest): { Host: string; MqttPort: number | null; Tls: number }
}

export const componentRoutes = (app: FastifyInstance, needs: Needs) => {
  const { doors, intake, replay, connections, ports, stations, allowed, address } = needs
  const check = placeCheck(allowed, doors)
  crud(app, networkComponent, {
    check,
    acts: {
      resetKey: ({ actor, row }) => resetToken(needs, actor, row as never),
      sign: ({ actor, row }) => newSecret(needs, actor, row as never),
    },
  })
  removes(app, componentCalls.removeMany, components.remove)
  serve(app, componentCalls.create, ({ db, actor, body }) => createDoor(db, actor, body, check))
  serve(app, componentCalls.ports, async () => [...allowed])
  serve(app, componentCalls.states, async ({ db, actor, query }) => {
    const rows = query.Id
      ? [await components.find(db, actor, query.Id)]
      : (await components.list(db, actor, readListing({ PageIndex: 1, PageSize: 1000 }))).Items
    return rows.map(({ Id, Port, Transport }) => {
      const door = doors.byId(Id)
      const Connections = connections(door?.SN ?? '') + ports.connections(Id)
      const Strangers = Port && Transport ? stations.strangers({ Port, Transport }) : 0
      return { ...intake.tallies.stateOf(Id), Connections, PortFault: door ? ports.faultOf(door) : null, Strangers }
    })
  })
  serve(app, componentCalls.connect, async ({ db, actor, query, request }) => {
    const { Id } = await components.find(db, actor, query.Id)
    return { ...address(request), SN: doors.byId(Id)?.SN ?? '' }
  })
  serve(app, componentCalls.seen, async ({ db, actor, query, request }) => {
    const q = readListing({ PageSize: mostSeen, ...(request.query as object) })
    const { Id } = await components.find(db, actor, query.Id)
    const all = intake.tallies.seenBy(Id)
    return paged({ ...q, exact: true }, all.slice((q.index - 1) * q.size, q.index * q.size), all.length)
  })
  serve(app, componentCalls.messages, async ({ db, actor, query }) => {
    const { Id } = await components.find(db, actor, query.Id)
    return [...intake.tallies.messagesOf(Id)]
  })
  serve(app, componentCalls.replay, async ({ db, actor, body }) => {
    const { Id } = await components.find(db, actor, body.Id)
    const door = doors.byId(Id)
    if (!door) throw notFound()
    return replay(door, body)
  })
  serve(app, componentCalls.adopt, async ({ db, actor, body }) => {
    const { Id } = await components.find(db, actor, body.Id)
    const keys = body.Items ?? intake.tallies.seenBy(Id)
    const made = await adopt(db, actor, Id, keys)
    intake.tallies.adopted(Id, keys)
    return made
  })
}
