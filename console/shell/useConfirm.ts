import { App } from 'antd'
import { type ReactNode, useCallback } from 'react'
import { useWords } from '../words/words.ts'

type Question = { title: string; content?: ReactNode; okText?: string; danger?: boolean; run: () => unknown }

/** Asks for confirmation, by default of a deletion. The dialog waits for the action and then closes, even on an error, which the mutation shows. */
export const useConfirm = () => {
  const t = useWords()
  const { modal } = App.useApp()
  return useCallback(
    ({ okText = t('button.remove'), danger = true, run, ...question }: Question) => {
      const settled = async () => run()
      const onOk = () => settled().catch(() => undefined)
      void modal.confirm({ ...question, okText, okButtonProps: { danger }, cancelText: t('cancel'), onOk })
    },
    [modal, t],
  )
}
