// The part of d3-sankey that the flow uses.
declare module 'd3-sankey' {
  export type Placed<N> = N & { x0?: number; x1?: number; y0?: number; y1?: number }
  export type Joined<N> = { source: Placed<N>; target: Placed<N>; width?: number }
  type Layout<N, L> = {
    (graph: { nodes: N[]; links: L[] }): { nodes: Placed<N>[]; links: Joined<N>[] }
    nodeId(of: (node: N) => string): Layout<N, L>
    nodeAlign(align: typeof sankeyLeft): Layout<N, L>
    /** null keeps the order of the nodes. */
    nodeSort(order: null): Layout<N, L>
    nodeWidth(width: number): Layout<N, L>
    nodePadding(padding: number): Layout<N, L>
    extent(corners: [[number, number], [number, number]]): Layout<N, L>
  }
  export function sankey<N, L>(): Layout<N, L>
  export function sankeyLeft(node: { depth?: number }, columns: number): number
  export function sankeyLinkHorizontal(): (link: Joined<unknown>) => string | null
}
