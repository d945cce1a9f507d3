import { Form, Modal, Select, Table } from 'antd'
import { useMemo, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { itemName } from './itemName.ts'
import { devicesIn, replaceDevice, type Swap, swapsOf } from './replaceDevice.ts'
import type { Points } from './Source.tsx'
import type { Editor } from './useEditor.ts'

type Props = { editor: Editor; points: Points; close: () => void }
/** Rebinds the selection, or the whole picture, to another device, with a preview of each point. */
export const ReplaceDevice = ({ editor, points, close }: Props) => {
  const t = useWords()
  const { scene, selected, change } = editor
  const used = useMemo(() => devicesIn(scene, selected, points), [scene, selected, points])
  const all = useMemo(() => new Map(points.map(({ DeviceId, DeviceName }) => [DeviceId, DeviceName])), [points])
  const [from, setFrom] = useState<number | undefined>(used.keys().next().value)
  const [to, setTo] = useState<number>()
  const swaps = from && to ? swapsOf(scene, selected, points, from, to) : []
  const found = swaps.filter(({ after }) => after).length
  const choice = (name: 'from' | 'to', of: ReadonlyMap<number, string>, value: number | undefined, choose: (id: number) => void) => (
    <Form.Item label={t(`edit.replace.${name}`)}>
      <Select
        aria-label={t(`edit.replace.${name}`)}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('edit.chooseDevice')}
        value={value ?? null}
        options={[...of].flatMap(([id, label]) => (name === 'to' && id === from ? [] : [{ value: id, label }]))}
        onChange={(id: number | null) => id && choose(id)}
      />
    </Form.Item>
  )
  const apply = () => {
    if (from && to) change('replace', (now) => replaceDevice(now, selected, points, from, to))
    close()
  }
  return (
    <Modal
      open
      width={640}
      title={selected.size ? t('edit.replace.selected', { count: selected.size }) : t('edit.replace.all')}
      okText={t('edit.replace.do')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !found }}
      onOk={apply}
      onCancel={close}
    >
      <Form layout="vertical">
        <div className="edit-numbers">
          {choice('from', used, from, (id) => {
            setFrom(id)
            if (id === to) setTo(undefined)
          })}
          {choice('to', all, to, setTo)}
        </div>
      </Form>
      {!used.size && <p className="soft">{t('edit.replace.none')}</p>}
      {to !== undefined && (
        <Table<Swap & { key: number }>
          size="small"
          scroll={{ y: 300 }}
          pagination={swaps.length > 100 ? { pageSize: 100, showSizeChanger: false } : false}
          locale={{ emptyText: t('edit.replace.none') }}
          dataSource={swaps.map((swap, key) => ({ ...swap, key }))}
          columns={[
            { title: t('edit.replace.item'), render: (_, { item }) => itemName(item, t) },
            { title: t('edit.replace.before'), render: (_, { before }) => `${before.DeviceName} · ${before.ParaName}` },
            {
              title: t('edit.replace.after'),
              render: (_, { after }) =>
                after ? `${after.DeviceName} · ${after.ParaName}` : <span className="edit-advice">{t('edit.replace.stays')}</span>,
            },
          ]}
        />
      )}
    </Modal>
  )
}
