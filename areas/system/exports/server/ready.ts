import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { notify } from '../../notices/server/service.ts'

type Ready = { id: number; actor: Pick<Actor, 'EnterpriseId' | 'UserId'>; fileName: string }

/** Notifies the person in the console that the file is ready. */
export const notifyReady = (db: Db, { id, actor, fileName }: Ready, Rows: number) =>
  notify(db, {
    EnterpriseId: actor.EnterpriseId,
    BizType: 11,
    Wording: 'exported',
    WordValues: { FileName: fileName, Rows },
    Source: `export/${id}`,
    UserIds: [actor.UserId],
    ObjectType: 'importExportTask',
    ObjectId: id,
  })
