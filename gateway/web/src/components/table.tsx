import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** The first column names its row. */
  cell(row: Row): ComponentChildren;
  /** Buttons, at the end of the row; the title is then for screen readers only. */
  readonly isActions?: boolean;
}

/** Rows with a caption for screen readers. On a narrow screen each row becomes a block with the titles beside its values. */
export function Table<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  empty: ComponentChildren;
}) {
  if (props.rows.length === 0) return <p class="empty">{props.empty}</p>;
  return (
    <table class="table">
      <caption class="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map(({ title, isActions }) => (
            <th key={title} scope="col">
              {isActions ? <span class="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)}>
            {props.columns.map(({ title, cell, isActions }, index) =>
              index === 0 ? (
                <th key={title} scope="row" data-title={title}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} data-title={title} class={isActions ? 'table-actions' : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
