import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Field } from '../contract/field.ts'
import { nextOf } from '../contract/moves.ts'
import type { Resource } from '../contract/resource.ts'
import type { maker } from '../main/testing/drafts.ts'
import type { Kit } from '../main/testing/kit.ts'
import { tableName } from '../server/resource/sql.ts'

type Row = { Id: number } & Record<string, unknown>
type Of = { r: Resource; name: string; f: Field & { kind: 'choice' }; owner: string }

/** Tries every move of a choice: those that its field names happen, the others are refused and change nothing. */
export const movesAsSaid = async (kit: Kit, make: ReturnType<typeof maker>, { r, name, f, owner }: Of) => {
  const { Id } = await make.create(r)
  const other = await kit.call(owner, 'POST', r.path, await make.draft(r, { [name]: f.of.at(-1) }))
  if (f.of.at(-1) !== (f.default ?? f.of[0])) expect(other).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState' } })
  for (const from of f.of)
    for (const to of f.of) {
      await kit.db.rows(sql`update ${sql.table(tableName(r))} set ${sql.ref(name)} = ${from} where "Id" = ${Id}`)
      const before = await kit.data<Row>(owner, 'GET', `${r.path}?Id=${Id}`)
      const moved = await kit.call<Row>(owner, 'PUT', r.path, { Id, [name]: to })
      if ((nextOf(f, from) as readonly unknown[]).includes(to))
        expect(moved, `${from} -> ${to}`).toMatchObject({ Succeeded: true, Data: { [name]: to } })
      else {
        const said = { Fault: 'wrongState', Fields: { [name]: [expect.stringContaining(String(before[r.title]))] } }
        expect(moved, `${from} -> ${to}`).toMatchObject({ StatusCode: 409, Details: said })
        expect(await kit.data(owner, 'GET', `${r.path}?Id=${Id}`)).toEqual(before)
      }
    }
}
