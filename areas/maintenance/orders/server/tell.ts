// Notifies people of changes to their orders, in the console.
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import type { StepName } from '../steps.ts'
import type { Receiver } from './people.ts'
import type { Order } from './steps.ts'

/** Notices of the maintenance centre (ruling 26). */
export const BizType = 12

type Told = { step: StepName; actor: Actor; before: Order; after: Order; entry: number; target?: Receiver | undefined }

/** The person affected by a step and the wording: the new assignee, the worker whose work was rejected, or the reporter. */
const concerned = ({ step, before, after, target }: Told): [wording: string, person: number | null] | undefined => {
  switch (step) {
    case 'dispatch':
      return ['orderAssigned', target?.field === 'AssignUserId' ? target.Id : null]
    case 'handOver':
      return ['orderHandedOver', target?.Id ?? null]
    case 'declineOver':
      return ['orderDeclined', after.AssignUserId]
    case 'reject':
      return ['orderRejected', after.AssignUserId]
    case 'refuse':
      return ['orderRefused', after.ReportUserId]
    case 'check':
      return ['orderDone', after.ReportUserId]
    case 'cancel':
      return ['orderCancelled', before.AssignUserId]
  }
}

export const tell = async (db: Db, told: Told) => {
  const [Wording, person] = concerned(told) ?? []
  if (!Wording || !person || person === told.actor.UserId || told.actor.past) return
  const { Id, EnterpriseId, OrderNo, Title, ProjectId } = told.after
  await notify(db, {
    ...{ EnterpriseId, BizType, Wording, WordValues: { OrderNo, Title }, Source: `order/${Id}/${told.entry}`, ProjectId },
    ...{ UserIds: [person], ObjectType: mtnMaintenanceOrder.name, ObjectId: Id },
  })
}
