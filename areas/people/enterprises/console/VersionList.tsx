import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { type Shown, useRemove } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { lower, useWords } from '../../../../console/words/words.ts'
import { version } from '../contract.ts'
import { VersionForm } from './VersionForm.tsx'

type Version = Shown<typeof version>

/** What tenants can be sold. */
export const VersionList = () => {
  const t = useWords()
  const confirm = useConfirm()
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10404.add'), useMay('m10404.edit'), useMay('m10404.remove')]
  const [editing, setEditing] = useState<Version | 'new'>()
  const remove = useRemove(version)
  const ask = (row: Version) =>
    confirm({
      title: t('list.removeOne', { title: row.Name }),
      content: t('remove.version'),
      run: () => remove.mutateAsync([row.Id]),
    })
  return (
    <>
      <ResourceList
        of={version}
        readOnly
        prefix="version."
        columns={['Name', 'MaxGateways', 'MaxUsers', 'MaxPoints', 'Price', 'Remark']}
        extra={
          mayAdd && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              {t('list.add', { thing: lower(t('version')) })}
            </Button>
          )
        }
        actions={(row) => [
          ...(mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
          ...(mayRemove ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => ask(row) }] : []),
        ]}
      />
      {editing && <VersionForm row={editing === 'new' ? undefined : editing} close={() => setEditing(undefined)} />}
    </>
  )
}
