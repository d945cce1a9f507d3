import { Button, Flex, List, Modal } from 'antd'
import { useState } from 'react'
import { useCall, useWrite } from '../../../../console/kernel/api.ts'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useMayDo } from '../../../../console/session/session.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { reportCalls, reportTemplate, type TemplateVersion } from '../contract.ts'
import { aboutIn } from './aboutLooks.tsx'
import { ReportView } from './ReportView.tsx'

/** What one version comes to, of the last whole period. */
const Look = ({ of }: { of: TemplateVersion }) => {
  const { data, error } = useCall(reportCalls.preview, {
    body: {
      ...aboutIn(of),
      Period: of.Period,
      Heading: of.Heading ?? of.TemplateName,
      Blocks: of.Blocks,
      ...{ Paper: of.Paper, Landscape: of.Landscape },
      Language: language(),
    },
    of: ['reportGroup', 'point'],
  })
  return error ? <p role="alert">{error.message}</p> : data ? <ReportView report={data} /> : null
}

/** What a template was before: to look at, and to restore. */
const TemplateVersions = ({ row, close }: DialogProps<typeof reportTemplate>) => {
  const t = useWords()
  const may = useMayDo()
  const [shown, show] = useState<TemplateVersion>()
  const { data: versions, isPending } = useCall(reportCalls.versions, { query: { Id: row.Id }, of: [reportTemplate.name] })
  const restore = useWrite([reportTemplate.name], (Version: number) =>
    invoke(reportCalls.restoreVersion, { body: { Id: row.Id, Version } }),
  )
  return (
    <Modal open title={t('reportTemplate.versionsOf', { name: row.TemplateName })} footer={null} width={760} onCancel={close}>
      <List
        loading={isPending}
        dataSource={versions ?? []}
        locale={{ emptyText: t('reportTemplate.noVersions') }}
        renderItem={(of) => (
          <List.Item
            actions={[
              <Button key="look" type="link" aria-expanded={shown === of} onClick={() => show(shown === of ? undefined : of)}>
                {t('reportTemplate.look')}
              </Button>,
              ...(may(reportTemplate, 'edit')
                ? [
                    <Button
                      key="restore"
                      type="link"
                      loading={restore.isPending}
                      onClick={() => restore.mutate(of.Version, { onSuccess: close })}
                    >
                      {t('reportTemplate.restore')}
                    </Button>,
                  ]
                : []),
            ]}
          >
            <List.Item.Meta
              title={`${of.Version} · ${of.TemplateName}`}
              description={`${[timeText(of.CreateTime), of.UserName].filter(Boolean).join(' · ')} · ${of.Blocks.map(({ Type, Title }) => Title || t(`report.block.${Type}`)).join(', ')}`}
            />
          </List.Item>
        )}
      />
      <Flex vertical>{shown && <Look of={shown} />}</Flex>
    </Modal>
  )
}
export default TemplateVersions
