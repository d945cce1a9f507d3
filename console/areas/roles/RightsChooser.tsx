import { Modal, Spin } from 'antd'
import { useState } from 'react'
import type { RightsNode } from '../../../contract/areas/roles.ts'
import { checkedIn, RightsTree } from '../../form/RightsTree.tsx'
import { Failure } from '../../resource/Empty.tsx'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'

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

/** Menus and buttons as a tree; what one does not hold oneself cannot be given. */
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
