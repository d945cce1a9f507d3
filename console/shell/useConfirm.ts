import { App } from 'antd'
import { type ReactNode, useCallback } from 'react'
import { useWords } from '../words/words.ts'

type Question = { title: string; content?: ReactNode; okText?: string; danger?: boolean; run: () => unknown }

/** Asks before an act, by default a removal. The dialog waits for the act and then closes, also after an error, which its mutation shows. */
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
