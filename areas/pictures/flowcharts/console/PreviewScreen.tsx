import { useEffect, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { LiveMark } from '../../../../console/shell/LiveMark.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchartCalls } from '../contract.ts'
import { PictureView } from './PictureView.tsx'
import { usePictureData } from './usePictureData.ts'

/** The draft or an old version of a picture with live values, as viewers would see it. Its buttons are disabled. */
const PreviewScreen = () => {
  const t = useWords()
  const [query] = useSearchParams()
  const id = Number(query.get('id') ?? 0)
  const version = Number(query.get('version') ?? 0)
  const edits = useMay('m10130.edit')
  const draft = { Id: id, Draft: true }
  const body = version > 0 ? { Id: id, Version: version } : draft
  const { data, error, refetch } = useCall(flowchartCalls.open, { body, of: ['flowchart'], enabled: id > 0 })
  const chart = data?.Flowchart
  const { curves, rows, marks } = usePictureData(draft, data)
  const live = useMemo(() => data && { ...data, Alarms: marks ?? data.Alarms }, [data, marks])
  const title = chart && t(version > 0 ? 'pictures.versionOf' : 'pictures.draftOf', { name: chart.FlowchartName, version })
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  if (!id) return <EmptyList text={t('pictures.noDraft')} />
  if (error) return <Failure fault={error} retry={() => refetch()} />
  if (!data || !chart || !live) return null
  return (
    <article className="page picture-page">
      <div className="picture-page-head">
        <h1>
          {chart.ProjectName} · {title}
        </h1>
        <LiveMark />
        <span className="soft">{t(version > 0 ? 'pictures.versionText' : 'pictures.previewText')}</span>
        {version > 0 && <Link to={`/projectManagement/configHistory?Id=${id}`}>{t('pictures.versions')}</Link>}
        {edits && <Link to={`/projectManagement/configEditor?Id=${id}`}>{t('pictures.edit')}</Link>}
      </div>
      <div className="picture-stage">
        <PictureView key={`${data.Version} ${data.Stamp}`} opened={live} curves={curves} rows={rows} />
      </div>
    </article>
  )
}
export default PreviewScreen
