import './own.css'
import { App, Button, Modal, Table, Upload } from 'antd'
import { useMemo, useState } from 'react'
import { useCommand, useRemove } from '../../../../../console/kernel/api.ts'
import { saveFile } from '../../../../../console/session/request.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { useConfirm } from '../../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { ownId, withOwn } from '../../../../../contract/picture/ownSymbol.ts'
import { mostImported, pictureSymbol, symbolCalls } from '../../../symbols/contract.ts'
import { Thumbnail } from '../editor/Thumbnail.tsx'
import SymbolDialog from './SymbolDialog.tsx'
import { fromFile, toFile } from './symbolFile.ts'

type Props = { own: readonly OwnSymbol[]; company: number; close: () => void }
/** The company's own symbols: edit, remove, save as one file, and import from a file. */
const SymbolsDialog = ({ own, company, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [adds, edits, removes] = [useMay('m10130.add'), useMay('m10130.edit'), useMay('m10130.remove')]
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [editing, setEditing] = useState<OwnSymbol>()
  const removing = useRemove(pictureSymbol)
  const taking = useCommand(symbolCalls.fromFile, [pictureSymbol.name])
  const symbols = useMemo(() => withOwn(new Map(), own), [own])
  const picked = chosen.length ? own.filter(({ id }) => chosen.includes(id)) : own
  const out = () => saveFile(new Blob([toFile(picked)], { type: 'application/json' }), 'penstock-symbols.json')
  const take = async (file: File) => {
    const Symbols = fromFile(await file.text())
    if (!Symbols) return message.error(t('own.notFile'))
    let made = 0
    for (let i = 0; i < Symbols.length; i += mostImported) {
      const part = Symbols.slice(i, i + mostImported)
      made += (await taking.mutateAsync({ body: { Symbols: part, EnterpriseId: company } })).filter(({ Made }) => Made).length
    }
    return message.success(t('own.read', { made, known: Symbols.length - made }))
  }
  const ask = ({ id, name }: OwnSymbol) =>
    confirm({
      title: t('list.removeOne', { title: name }),
      content: t('remove.pictureSymbol'),
      run: () => removing.mutateAsync([ownId(id)!]),
    })
  return (
    <Modal open width={720} title={t('many.pictureSymbol_other')} footer={null} onCancel={close}>
      <div className="own-bar">
        <Button disabled={!picked.length} onClick={out}>
          {t('own.toFile')}
        </Button>
        {adds && (
          <Upload
            accept=".json,application/json"
            showUploadList={false}
            beforeUpload={(file) => {
              void take(file).catch(() => undefined)
              return Upload.LIST_IGNORE
            }}
          >
            <Button loading={taking.isPending}>{t('own.fromFile')}</Button>
          </Upload>
        )}
      </div>
      <Table<OwnSymbol>
        rowKey="id"
        size="small"
        dataSource={[...own]}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: t('empty.pictureSymbol') }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        rowSelection={{ selectedRowKeys: [...chosen], onChange: (keys) => setChosen(keys.map(String)) }}
        columns={[
          { key: 'picture', width: 60, render: (_, { id }) => <Thumbnail symbol={symbols.get(id)!} /> },
          { key: 'name', title: t('pictureSymbol.SymbolName'), dataIndex: 'name' },
          {
            key: 'acts',
            align: 'right',
            title: <span className="sr-only">{t('list.actions')}</span>,
            render: (_, row) => (
              <>
                {edits && (
                  <Button size="small" type="link" onClick={() => setEditing(row)}>
                    {t('button.edit')}
                  </Button>
                )}
                {removes && (
                  <Button size="small" type="link" danger onClick={() => ask(row)}>
                    {t('button.remove')}
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
      {editing && <SymbolDialog symbol={editing} company={company} close={() => setEditing(undefined)} />}
    </Modal>
  )
}
export default SymbolsDialog
