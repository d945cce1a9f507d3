// The work of a task for each of its rows. Project and product tasks share it.
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'

/** Common columns of task tables. */
export type Task = {
  Id: number
  EnterpriseId: number
  Kind: number
  UserId: number
  RoleId: number | null
  Language: Language
  Done: number
  TaskName: string
}
/** Common columns of row tables. */
export type TaskRow = { Id: number; Status: number; StartTime: Date | null }
/** The two tables of a kind of tasks. */
export type TaskTables = { task: Resource; row: Resource }

export type Work<T extends Task = Task, R extends TaskRow = TaskRow> = {
  db: Db
  actor: Actor
  task: T
  row: R
  /** Marks the row as done, in the transaction of the work if there is one. A note describes the result. */
  done: (db: Db, note?: string) => Promise<void>
}
export type Runs<T extends Task = Task, R extends TaskRow = TaskRow> = {
  needs: string
  /** Rows that run concurrently. */
  atOnce: number
  /** Whether one row must succeed before others run concurrently. */
  canary: boolean
  run(work: Work<T, R>): Promise<void>
}

/** A refusal with its text. */
export class Refused extends Error {}

/** A row's gateway or device. @throws Fault `notFound` if it was deleted */
export const required = (id: number | null): number => {
  if (id === null) throw notFound()
  return id
}
