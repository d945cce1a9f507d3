// Adds many devices as a task, each in its own transaction.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import type { deviceCalls } from '../../devices/contract.ts'
import { addDevices, devicesOf } from '../../devices/server/service.ts'
import { gateway } from '../../gateways/contract.ts'
import { planInTurn } from '../../models/server/service.ts'
import { taskKind, taskRight } from '../contract.ts'
import { assertMayAdd, createTask, independent, nameOf } from './create.ts'
import type { Runs, Task, TaskRow } from './work.ts'

type Asked = Body<typeof deviceCalls.batchAdd>
type Device = ReturnType<typeof devicesOf>[number]
type AddRow = TaskRow & { Given: Device }

/** Adds a task with a row for each device. Errors and answer are those of a preview. */
export const addDevicesAsTask = async (db: Db, actor: Actor, given: Asked) => {
  assertMayAdd(actor, taskKind.addDevices)
  const items = devicesOf(given)
  const { GatewayId, NameRule, PlannedTime } = given
  const { EnterpriseId } = await store(gateway).find(db, actor, GatewayId)
  const preview = await addDevices(db, actor, { ...given, items, Preview: 1 }, actor.language)
  const fields = {
    ...{ TaskName: nameOf(actor, taskKind.addDevices, NameRule), Kind: taskKind.addDevices, ...independent },
    ...(PlannedTime && { PlannedTime }),
  }
  const rows = items.map((item) => ({ Target: item.DeviceName, GatewayId, Given: item }))
  const task = await db.tx((db) => createTask(db, actor, { fields, EnterpriseId, rows }))
  return { ...preview, TaskId: task.Id }
}

/** Adds one device with the points of its model. They commit together with the row's state. */
export const addKind: Runs<Task, AddRow> = {
  ...{ needs: taskRight[taskKind.addDevices], atOnce: 1, canary: false },
  run: ({ db, actor, task, row, done }) =>
    planInTurn(actor, () =>
      db.tx(async (db) => {
        const { Devices } = await addDevices(db, actor, { ...row.Given, items: [row.Given] }, task.Language)
        const [added] = Devices
        await done(db, word(task.Language, 'task.added', { points: added?.Added ?? 0 }))
        await db.rows(sql`update project_task_row set "DeviceId" = ${added?.DeviceId ?? null} where "Id" = ${row.Id}`)
      }),
    ),
}
