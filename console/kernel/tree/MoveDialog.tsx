import { Form, Modal, TreeSelect } from 'antd'
import { useId, useState } from 'react'
import { useWords } from '../../words/words.ts'
import type { TreeNode, TreeRow } from './tree.ts'

type Choice = { value: number; title: string; disabled: boolean; children: Choice[] }
/** Zero means the top level, which has no record. */
const top = 0

const choices = (nodes: readonly TreeNode[], moved: number, inside = false): Choice[] =>
  nodes.map(({ key, title, children }) => {
    const own = inside || key === moved
    return { value: key, title, disabled: own, children: choices(children, moved, own) }
  })

type Props = {
  title: string
  nodes: TreeNode[]
  of: TreeRow
  parent: string
  move: (above: number | null) => void
  close: () => void
}

/** Moves a record by dialog: for keyboard users, phones, and long trees. */
export const MoveDialog = ({ title, nodes, of, parent, move, close }: Props) => {
  const t = useWords()
  const id = useId()
  const [above, setAbove] = useState((of[parent] as number | null) ?? top)
  return (
    <Modal
      open
      title={t('tree.moveTitle', { title })}
      okText={t('tree.move')}
      cancelText={t('cancel')}
      onCancel={close}
      onOk={() => {
        move(above === top ? null : above)
        close()
      }}
    >
      <Form layout="vertical">
        <Form.Item label={t('tree.below')} htmlFor={id}>
          <TreeSelect
            id={id}
            value={above}
            onChange={setAbove}
            treeDefaultExpandAll
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeData={[{ value: top, title: t('tree.top'), disabled: false, children: [] }, ...choices(nodes, of.Id)]}
            style={{ width: '100%' }}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
