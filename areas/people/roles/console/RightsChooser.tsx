import { Modal, Spin } from 'antd'
import { useState } from 'react'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { checkedIn, RightsTree } from '../../menus/console/RightsTree.tsx'
import type { RightsNode } from '../contract.ts'

type Props = {
  title: string
  nodes: readonly RightsNode[] | undefined
  error: Fault | null
  retry?: (() => void) | undefined
  readOnly: boolean
  saving: boolean
  save: (codes: string[]) => void
  close: () => void
}

/** Menus and buttons as a tree; permissions that the user does not have are disabled. */
export const RightsChooser = ({ title, nodes, error, retry, readOnly, saving, save, close }: Props) => {
  const t = useWords()
  const [chosen, setChosen] = useState<string[]>()
  const value = chosen ?? (nodes ? checkedIn(nodes) : [])
  return (
    <Modal
      open
      title={title}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: readOnly || chosen === undefined }}
      confirmLoading={saving}
      onCancel={close}
      onOk={() => save(value)}
    >
      {error && <Failure fault={error} retry={retry} />}
      {nodes ? <RightsTree nodes={nodes} value={value} onChange={setChosen} disabled={readOnly} /> : !error && <Spin />}
    </Modal>
  )
}
