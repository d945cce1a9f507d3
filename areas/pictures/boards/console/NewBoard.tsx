import { UploadOutlined } from '@ant-design/icons'
import { App, Button, Form, Input, Segmented, Upload } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { request } from '../../../../console/session/request.ts'
import { useOwner } from '../../../../console/session/useTenant.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type BoardContent, emptyBoard, visualBoard, visualBoardCalls } from '../contract.ts'
import { type Board, boardsPath } from './BoardPage.tsx'
import { type BoardFile, fromFile, readFile } from './boardFile.ts'

type Values = { Title: string; ProjectId?: number | null; CopyOf?: number | null }
type Begin = 'empty' | 'copy' | 'file'

/** Creates a board: empty, as a copy, or from a file. */
const NewBoard = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const go = useGo()
  const owner = useOwner(visualBoard)
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [begin, setBegin] = useState<Begin>('empty')
  const [file, setFile] = useState<BoardFile>()
  const points = useCall(telemetryCalls.allParaInfo, { query: {}, of: ['point', 'device'], enabled: begin === 'file' })
  const sending = useCommand(visualBoardCalls.save, ['visualBoard'], { meta: { quiet: true } })
  const contentOf = async ({ CopyOf }: Values): Promise<BoardContent> => {
    if (begin === 'copy' && CopyOf) {
      return (await request<Board>('GET', `${visualBoard.path}?Id=${CopyOf}`)).Content
    }
    if (begin !== 'file' || !file) return emptyBoard
    const { content, missing } = fromFile(file, points.data ?? [])
    if (missing) message.warning(t('board.missing', { count: missing }))
    return content
  }
  const submit = async (values: Values) => {
    const { Title, ProjectId, CopyOf } = values
    const body = {
      Title,
      ProjectId: ProjectId ?? null,
      Content: await contentOf(values),
      ...(begin === 'copy' && CopyOf && { CopyOf }),
      ...(tenant ? { EnterpriseId: tenant } : owner),
    } as never
    const open = (made: unknown) => {
      // The list stays in its tab, without this dialog.
      close()
      go(`${boardsPath}?Id=${(made as { Id: number }).Id}&edit=1`)
    }
    sending.mutate({ body }, { onSuccess: open })
  }
  return (
    <FormDialog<Values>
      title={t('board.new')}
      form={form}
      sending={{ isPending: sending.isPending, error: sending.error }}
      submit={(values) => void submit(values).catch((error: Error) => message.error(error.message))}
      close={close}
      okText={t('board.make')}
    >
      <Form.Item name="Title" label={t('visualBoard.Title')} rules={[{ required: true, message: t('board.titleNeeded') }]}>
        <Input maxLength={40} />
      </Form.Item>
      <Form.Item name="ProjectId" label={t('visualBoard.ProjectId')} help={t('help.visualBoard.ProjectId')}>
        <RefInput to={project} />
      </Form.Item>
      <Form.Item label={t('board.begin')}>
        <Segmented<Begin>
          value={begin}
          onChange={setBegin}
          options={(['empty', 'copy', 'file'] as const).map((value) => ({ value, label: t(`board.begin.${value}`) }))}
        />
      </Form.Item>
      {begin === 'copy' && (
        <Form.Item name="CopyOf" label={t('visualBoard')}>
          <RefInput to={visualBoard} />
        </Form.Item>
      )}
      {begin === 'file' && (
        <Form.Item help={file ? t('board.fileRead', { title: file.Title, count: file.Content.Widgets.length }) : t('board.fileHelp')}>
          <Upload
            accept="application/json"
            showUploadList={false}
            beforeUpload={async (given) => {
              const read = given.size < 2_000_000 ? readFile(await given.text()) : undefined
              if (!read) message.error(t('board.noFile'))
              setFile(read)
              if (read && !form.getFieldValue('Title')) form.setFieldValue('Title', String(read.Title).slice(0, 40))
              return false
            }}
          >
            <Button icon={<UploadOutlined />}>{t('board.chooseFile')}</Button>
          </Upload>
        </Form.Item>
      )}
    </FormDialog>
  )
}
export default NewBoard
