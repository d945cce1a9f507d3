import { useFileUrl } from '../../../../console/files/stored.ts'
import type { Attachment } from '../../../../contract/field.ts'
import './checklist.css'

/** A stored picture of a job sheet, also on paper. */
export const SheetPicture = ({ file, alt }: { file: Attachment; alt: string }) => {
  const url = useFileUrl(file.FilePath)
  return url ? <img className="checklist-picture" src={url} alt={alt} /> : null
}
