import { useState } from 'react'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'

/** The stored values with local edits; leaving with unsaved changes asks for confirmation. */
export const useEdited = <T extends object>(stored: T | undefined) => {
  const [draft, setDraft] = useState<T>()
  useLeaveGuard({ isDirty: () => draft !== undefined, close: () => setDraft(undefined) })
  return { value: draft ?? stored, change: setDraft, isChanged: draft !== undefined, done: () => setDraft(undefined) }
}
