import { App } from 'antd'
import { useState } from 'react'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'
import { useWords } from '../../../../console/words/words.ts'

/** What the server holds, with what has been changed here; nobody leaves with changes unasked. */
export const useEdited = <T extends object>(stored: T | undefined) => {
  const t = useWords()
  const { modal } = App.useApp()
  const [draft, setDraft] = useState<T>()
  const ask = async (): Promise<boolean> =>
    await modal.confirm({ title: t('form.leave'), content: t('form.leaveLost'), okText: t('form.discard'), cancelText: t('form.stay') })
  useLeaveGuard({ isDirty: () => draft !== undefined, ask, leave: () => setDraft(undefined) })
  return { value: draft ?? stored, change: setDraft, isChanged: draft !== undefined, done: () => setDraft(undefined) }
}
