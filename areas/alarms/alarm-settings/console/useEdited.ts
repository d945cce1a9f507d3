import { useState } from 'react'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'

/** What the server holds, with what has been changed here; nobody leaves with changes unasked. */
export const useEdited = <T extends object>(stored: T | undefined) => {
  const [draft, setDraft] = useState<T>()
  useLeaveGuard({ isDirty: () => draft !== undefined, close: () => setDraft(undefined) })
  return { value: draft ?? stored, change: setDraft, isChanged: draft !== undefined, done: () => setDraft(undefined) }
}
