import type { FastifyInstance } from 'fastify'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { withEquipment } from '../../equipment/server/service.ts'
import { mtnPunchRecord, proRfidHistory, proRfidInfo } from '../contract.ts'

/** Only an act sets the state of a card. */
const stated = { ...proRfidInfo, fields: { ...proRfidInfo.fields, Status: { ...proRfidInfo.fields.Status, set: 'always' as const } } }
const cards = store(stated)
const punches = store(mtnPunchRecord)

export const cardRoutes = (app: FastifyInstance) => {
  crud(app, proRfidInfo, {
    check: withEquipment,
    acts: { setStatus: async ({ db, actor, body, row }) => void (await cards.update(db, actor, row.Id, { Status: body.Status })) },
  })
  crud(app, proRfidHistory)
  crud(app, mtnPunchRecord, {
    acts: {
      correct: ({ db, actor, body: { PunchTime, ApproverId, Remark }, row }) => {
        if (ApproverId === row.UserId || ApproverId === actor.UserId)
          throw new FieldFaults([{ field: 'ApproverId', rule: 'approverOther' }])
        return punches.update(db, actor, row.Id, { PunchTime, ApproverId, Remark, Status: 5 })
      },
    },
  })
}
