import { useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useCallback } from 'react'
import { create } from 'zustand'
import type { Resource } from '../../../contract/resource.ts'
import { type Fault, request } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'
import { invalidate } from '../api.ts'

/** Time to undo a change, s. */
const undoSeconds = 6
/** Time that removed rows stay hidden, ms, in case an older response still contains them. */
const goneMs = 60_000
type Row = { Id: number; UpdateStamp?: number } & Record<string, unknown>

/** Rows with a pending removal. Lists hide them; the server still has them. */
const useLeaving = create<{ keys: ReadonlySet<string> }>(() => ({ keys: new Set() }))
const keyOf = (r: Resource, id: number) => `${r.name}/${id}`
const leave = (keys: string[], gone: boolean) =>
  useLeaving.setState(({ keys: held }) => ({
    keys: gone ? new Set([...held, ...keys]) : new Set([...held].filter((key) => !keys.includes(key))),
  }))
export const useIsLeaving = (r: Resource) => {
  const keys = useLeaving((s) => s.keys)
  return useCallback((id: number) => keys.has(keyOf(r, id)), [keys, r])
}

/** Says what was done, with a button that undoes it for some seconds. */
export const useUndoToast = () => {
  const t = useWords()
  const { message } = App.useApp()
  return useCallback(
    (text: string, undo: () => void, gone?: () => void) => {
      const key = `undo-${crypto.randomUUID()}`
      void message.open({
        key,
        type: 'success',
        duration: undoSeconds,
        ...(gone ? { onClose: gone } : {}),
        content: (
          <>
            {text}{' '}
            <Button
              type="link"
              size="small"
              onClick={() => {
                undo()
                message.destroy(key)
              }}
            >
              {t('undo')}
            </Button>
          </>
        ),
      })
    },
    [message, t],
  )
}

/** Hides rows now and removes them when the time to undo is over or the page closes. */
export const useUndoableRemove = (r: Resource) => {
  const client = useQueryClient()
  const { message } = App.useApp()
  const toast = useUndoToast()
  return useCallback(
    (rows: readonly Row[], said: string) => {
      const ids = rows.map((row) => row.Id)
      const keys = ids.map((id) => keyOf(r, id))
      let open = true
      const send = () => {
        if (!open) return
        open = false
        window.removeEventListener('pagehide', send)
        const [path, body] = ids.length === 1 ? [r.path, { Id: ids[0] }] : [`${r.path}/BatchDelete`, { Ids: ids }]
        const showAgain = () => leave(keys, false)
        request('DELETE', path as string, body)
          .then(
            // An older list response may arrive late and must not show the rows again.
            () => void setTimeout(showAgain, goneMs),
            (fault: Fault) => {
              message.error(fault.message)
              showAgain()
            },
          )
          .finally(() => void invalidate(client, [r.name]))
      }
      const undo = () => {
        open = false
        window.removeEventListener('pagehide', send)
        leave(keys, false)
      }
      leave(keys, true)
      window.addEventListener('pagehide', send)
      toast(said, undo, send)
    },
    [client, message, r, toast],
  )
}
