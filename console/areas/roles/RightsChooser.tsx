import { Modal, Spin, Tree } from 'antd'
import { useState } from 'react'
import type { RightsNode } from '../../../contract/areas/roles.ts'
import { Failure } from '../../resource/Empty.tsx'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'

type Branch = { key: string; title: string; disableCheckbox: boolean; children: Branch[] }
const branch = (n: RightsNode): Branch => ({
  key: n.MenuEncoding,
  title: n.MenuName,
  disableCheckbox: !n.Grantable,
  children: n.MenuChildren.map(branch),
})
const checkedIn = (nodes: readonly RightsNode[]): string[] =>
  nodes.flatMap((n) => [...(n.Checked ? [n.MenuEncoding] : []), ...checkedIn(n.MenuChildren)])

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
      {nodes ? (
        <Tree
          checkable
          checkStrictly
          defaultExpandedKeys={nodes.map((n) => n.MenuEncoding)}
          selectable={false}
          disabled={readOnly}
          height={420}
          treeData={nodes.map(branch)}
          checkedKeys={value}
          onCheck={(keys) => setChosen((Array.isArray(keys) ? keys : keys.checked).map(String))}
        />
      ) : (
        !error && <Spin />
      )}
    </Modal>
  )
}
