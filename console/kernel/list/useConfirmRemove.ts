import { useCallback } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useConfirm } from '../../shell/useConfirm.ts'
import { lower, useWords } from '../../words/words.ts'
import { useRemove } from '../api.ts'

/** Removes rows after a confirmation that names them. Calls `done` after the removal. */
export const useConfirmRemove = <T extends { Id: number }>(r: Resource, titleOf: (row: T) => string) => {
  const t = useWords()
  const confirm = useConfirm()
  const { mutateAsync: remove } = useRemove(r)
  return useCallback(
    (rows: T[], done = () => {}) =>
      confirm({
        title:
          rows.length === 1
            ? t('list.removeOne', { title: titleOf(rows[0]!) })
            : t('list.removeMany', { count: rows.length, thing: lower(t(`many.${r.name}`, { count: rows.length })) }),
        content: t(`remove.${r.name}`),
        run: () => remove(rows.map((row) => row.Id)).then(done),
      }),
    [confirm, r, remove, t, titleOf],
  )
}
